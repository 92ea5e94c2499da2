// What a call answers to its client.
type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
export type CallResult = { content: Content[]; structuredContent?: Record<string, unknown>; isError?: true };
