// The drawer as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import * as verbs from './cli.ts';
import { overview } from './overview.ts';
import { drawerErrors, drawerSettings } from './room.ts';
import { check } from './tools/check.ts';
import { get } from './tools/get.ts';
import { listSessions } from './tools/listSessions.ts';
import { profile } from './tools/profile.ts';
import { purgeExpired } from './tools/purgeExpired.ts';
import { purgeSession } from './tools/purgeSession.ts';
import { rebuildIndex } from './tools/rebuildIndex.ts';
import { search } from './tools/search.ts';
import { store } from './tools/store.ts';
import { storeCmd } from './tools/storeCmd.ts';
import { storeFile } from './tools/storeFile.ts';
import { transfer } from './tools/transfer.ts';
import { vacuum } from './tools/vacuum.ts';
import { vectorStats } from './tools/vectorStats.ts';
import { verify } from './tools/verify.ts';
import { view } from './view.ts';

export const drawer = defineRoom({
  name: 'drawer',
  needs: ['ledger'],
  errors: drawerErrors,
  settings: drawerSettings,
  toolset: { description: 'All tools of the drawer.' },
  engine: () => import('./engine.ts'),
  programs: { sandbox: 'sandbox.ts' },
  tools: [
    check,
    get,
    listSessions,
    profile,
    purgeExpired,
    purgeSession,
    rebuildIndex,
    search,
    store,
    storeCmd,
    storeFile,
    transfer,
    vacuum,
    vectorStats,
    verify,
  ],
  overview,
  verbs: [verbs.store, verbs.search, verbs.get, verbs.sessions, verbs.purge, verbs.vacuum],
  view,
});
