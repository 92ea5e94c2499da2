// Program 6: what VS Code starts at an event of the agent.
import { connect } from 'node:net';
import { stdout } from 'node:process';

/**
 * Started by media/agent/archive/hooks.json. It hands what VS Code tells it to Loom's window (archive/routes.ts) and prints
 * what that answers. It ends with 0 whatever happens, and says nothing where Loom is
 * gone, busy or switched off: the agent's calls go on as if it were not there.
 *
 * It speaks HTTP by hand: loading Node's own client would take longer than everything else here.
 */
const [port, token] = (process.env.LOOM_ARCHIVE ?? '').split(' ');
/** From the start: VS Code does not wait for the end of a hook after a call, but it does before a prompt. */
const patienceMs = 1_000;

const leave = (): never => process.exit(0);

const head = (bytes: number): string =>
  [
    // 1.0: an answer in one piece, and the connection ends with it.
    'POST /archive HTTP/1.0',
    `Host: 127.0.0.1:${port}`,
    `X-Loom-Token: ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    '\r\n',
  ].join('\r\n');

/** The body of an answer that has one. */
const bodyOf = (answer: string): string =>
  answer.startsWith('HTTP/1.1 200 ') ? answer.slice(answer.indexOf('\r\n\r\n') + 4) : '';

const send = (body: Buffer): void => {
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => (answer += text));
  socket.on('error', leave);
  socket.on('end', () => stdout.write(bodyOf(answer), leave));
  socket.write(head(body.length));
  socket.write(body);
};

setTimeout(leave, patienceMs);
const chunks: Buffer[] = [];
process.stdin.on('error', leave);
process.stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
// All of stdin is read in any case: VS Code does not expect a hook that stops listening.
process.stdin.on('end', () => (token === undefined ? leave() : send(Buffer.concat(chunks))));
