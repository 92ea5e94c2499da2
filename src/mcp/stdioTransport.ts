// MCP messages on stdin and stdout, one a line. Whatever cannot be read is answered: a client that hears nothing waits.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { grouped } from '#base/text.ts';
import { readText, type Read, type Unread } from './message.ts';

/** Bytes of one line; a longer one is dropped to its end. */
const mostLine = 10 * 1024 * 1024;

const tooLong: Read = {
  unread: {
    id: null,
    code: ErrorCode.InvalidRequest,
    message:
      `A message is over ${grouped(mostLine)} bytes; nothing was done. ` +
      'Put large content in a file and store it with ctx_store_file: it is read by the server.',
  },
};

/** Calls `take` with each line of a stream as its bytes come, without its end; undefined for one that is too long. */
const lineSplitter = (take: (line: string | undefined) => void): ((chunk: Buffer) => void) => {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= mostLine) parts.push(part);
    else parts = [];
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      take(size > mostLine ? undefined : Buffer.concat(parts).toString('utf8'));
      parts = [];
      size = 0;
      from = end + 1;
    }
    add(chunk.subarray(from));
  };
};

/** The transport of `loom mcp`. Nothing but messages is ever written to `output`. */
export const stdioTransport = (input: Readable, output: Writable): Transport => {
  const send = async (message: object): Promise<void> => {
    if (!output.write(`${JSON.stringify(message)}\n`)) await once(output, 'drain');
  };
  const refuse = ({ id, code, message }: Unread): void => {
    transport.onerror?.(new Error(message));
    send({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: Error) => transport.onerror?.(error));
  };
  const split = lineSplitter((line) => {
    const text = line?.replace(/^\uFEFF/, '').trim();
    if (text === '') return;
    for (const read of text === undefined ? [tooLong] : readText(text)) {
      if ('unread' in read) refuse(read.unread);
      else transport.onmessage?.(read.message);
    }
  });
  const failed = (error: Error): void => transport.onerror?.(error);
  // A last line may have no end.
  const ended = (): void => split(Buffer.from('\n'));
  const transport: Transport = {
    start: async () => {
      input.on('data', split).on('error', failed).on('end', ended);
    },
    send,
    close: async () => {
      input.off('data', split).off('error', failed).off('end', ended);
      if (input.listenerCount('data') === 0) input.pause();
      transport.onclose?.();
    },
  };
  return transport;
};
