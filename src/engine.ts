import { parentPort, workerData } from 'node:worker_threads';
import type { Log } from '#base/log.ts';
import { write } from '#base/operation.ts';
import { serve } from '#base/rpc.ts';
import { createDrawer, drawerFunctions, drawerMigrations, drawerOperations, insertDocument } from '#drawer/drawer.ts';
import { billStored, createLedger, ledgerMigrations, ledgerOperations, recordMoved } from '#ledger/ledger.ts';
import { countTokens } from '#ledger/tokens.ts';
import type { EngineEvent, EngineOptions, EngineService } from '#mcp/engine.ts';
import { openStore } from '#storage/store.ts';
