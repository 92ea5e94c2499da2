// The menu of the sidebar's title.
import type { Item, Menus } from './defineWindowRoom.ts';

export const sidebarView = 'loom.sidebar';

/** Commands in that menu, each with its group and place. */
export const inSidebar = (groups: Readonly<Record<`loom.${string}`, string>>): Menus => ({
  'view/title': Object.entries(groups).map(
    ([command, group]) => ({ command, when: `view == ${sidebarView}`, group }) as Item,
  ),
});
