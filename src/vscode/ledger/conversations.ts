// The conversations that called a tool since the window opened.
/** A person has rarely more in one window; the oldest go. */
const mostIds = 100;

export type Conversations = {
  note: (conversation: string) => void;
  ids: () => readonly string[];
};

/** Notes which conversations are billed through this window. */
export const noteConversations = (): Conversations => {
  const ids = new Set<string>();
  return {
    note: (conversation) => {
      ids.add(conversation);
      for (const oldest of [...ids].slice(0, -mostIds)) ids.delete(oldest);
    },
    ids: () => [...ids],
  };
};
