import type { EngineClient } from '#host/engine.ts';

/** A person has rarely more in one window; the oldest go. */
const most = 100;

export type Conversations = {
  /** The engine for those who answer calls of this window. */
  engine: EngineClient;
  /** Conversations that called a tool since the window opened. */
  ids: () => readonly string[];
};

/** Notes which conversations are billed through this window. */
export const noteConversations = (engine: EngineClient): Conversations => {
  const ids = new Set<string>();
  const recordCall: EngineClient['recordCall'] = (record, call) => {
    ids.add(record.conversation);
    for (const oldest of [...ids].slice(0, -most)) ids.delete(oldest);
    return engine.recordCall(record, call);
  };
  return {
    engine: new Proxy(engine, {
      get: (target, method) => (method === 'recordCall' ? recordCall : (Reflect.get(target, method) as unknown)),
    }),
    ids: () => [...ids],
  };
};
