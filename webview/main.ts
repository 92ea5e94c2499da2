import './style.css';
import { registerComponents } from '#webview/ui/components.ts';
import { showPanel } from './panel.ts';
import { showSidebar } from './sidebar.ts';
import * as list from './tabs.ts';

const root = document.getElementById('view');
const tabs = Object.values(list).sort((a, b) => a.place - b.place);

registerComponents();
if (root?.classList.contains('panel')) showPanel(root, tabs);
else if (root) showSidebar(root, tabs);
