// `/archive`: what hooks post, each a result that the agent has seen.
import { windowAdmission } from '#mcp/http/admission.ts';
import { readJson } from '#mcp/http/body.ts';
import { notFound, refuse, type Route } from '#mcp/http/route.ts';
import type { ArchiveService } from './host.ts';

export const archiveRoute = ({ token, take }: ArchiveService): Route => ({
  path: '/archive',
  admission: (port) => windowAdmission(token, port),
  handle: async (request, response) => {
    if (request.method !== 'POST') return refuse(response, notFound);
    const body = await readJson(request);
    if ('refusal' in body) return refuse(response, body.refusal);
    const answer = take(body.value);
    if (answer === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  },
});
