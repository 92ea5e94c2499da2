// The server's instructions.
/**
 * Goes into the system prompt of every request while Loom is enabled, so each word is paid for on every turn
 * (a test holds it under 100 tokens).
 */
export const instructions = [
  'Loom keeps bulk out of this conversation.',
  'Before reading a large file, log, JSON, diff or test output, call ctx_store_file with its path instead:',
  'you get an outline, the lines that matter and an id.',
  'Then ctx_search finds exact lines, ctx_get returns exact bytes by id and lines.',
  'Small content comes back whole.',
  'To compute, call run_python: names and output stay between calls.',
].join(' ');
