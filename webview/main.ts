import { registerComponents } from '#webview/ui/components.ts';
import { showPanel } from './panel.ts';
import { showSidebar } from './sidebar.ts';

const root = document.getElementById('view');

registerComponents();
if (root?.classList.contains('panel')) showPanel(root);
else if (root) showSidebar(root);
