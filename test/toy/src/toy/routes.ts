// `/toy`: streams a word, a letter at a time.
import type { Services } from '#base/room.ts';
import type { Route } from '#mcp/http/route.ts';

export const toyRoute = (toy: Services['toy']): Route => ({
  path: '/toy',
  handle: async (request, response, { readOnly }) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for await (const chunk of request) response.write(await toy.turned({ word: String(chunk) }));
    response.end(readOnly ? ' (only reads)' : '');
  },
});
