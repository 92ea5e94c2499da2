// Every verb of `loom`, in the order in which the help shows them: its own, then those of the rooms.
import type { Verb } from '#base/verb.ts';
import { verbs as ofRooms } from '#assemble.ts';
import { auditVerify } from './audit.ts';
import { check } from './check.ts';
import { client } from './client.ts';
import { exportActions } from './exportActions.ts';
import { mcp, serve } from './mcp.ts';

export const verbs: readonly Verb[] = [mcp, serve, client, check, ...ofRooms, exportActions, auditVerify];
