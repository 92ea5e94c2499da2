export const sidebarSnapshot = async (_engine: unknown, _session: string): Promise<undefined> => undefined;
