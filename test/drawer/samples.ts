import { random } from './random.ts';

const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${row(i)}\n`).join('');
const two = (n: number): string => String(n).padStart(2, '0');

/** A service's log: routine, a few warnings, one stack trace in the middle, one odd line. */
export const serviceLog = (lines: number, seed = 1): string => {
  const { below, pick } = random(seed);
  const time = (i: number): string =>
    `2026-11-29T${two(Math.floor(i / 3600) % 24)}:${two(Math.floor(i / 60) % 60)}:${two(i % 60)}.${String(below(1000)).padStart(3, '0')}Z`;
  return rows(lines, (i) => {
    if (i === Math.floor(lines / 2)) {
      return [
        `${time(i)} ERROR [billing] charge failed for order ORD-77121: card declined`,
        'PaymentError: card declined (code 51)',
        '    at charge (/srv/billing/charge.ts:88:11)',
        '    at async settle (/srv/billing/settle.ts:31:5)',
      ].join('\n');
    }
    if (i === Math.floor(lines / 3)) return `${time(i)} INFO [config] feature flag checkout_v2 switched to 25 percent`;
    if (below(400) === 0)
      return `${time(i)} WARN [db] slow query took ${1000 + below(900)} ms: SELECT * FROM orders WHERE id = ${below(1e6)}`;
    const request = below(2 ** 31)
      .toString(16)
      .padStart(8, '0');
    return pick([
      `${time(i)} INFO [http] GET /api/orders/${below(1e5)} 200 in ${below(90)} ms id=${request}`,
      `${time(i)} INFO [http] POST /api/cart 201 in ${below(90)} ms id=${request}`,
      `${time(i)} DEBUG [cache] hit key=user:${below(1e4)} from 10.0.${below(8)}.${below(255)}:6379`,
    ]);
  });
};

export const ordersJson = (): string => {
  const { below, pick } = random(2);
  const orders = Array.from({ length: 120 }, (_, i) => ({
    id: 9007199254740000 + i,
    customer: { name: pick(['Ann', 'Bo', 'Cy']), email: i % 4 === 0 ? null : `c${i}@example.org` },
    lines: Array.from({ length: 1 + below(3) }, () => ({
      sku: `SKU-${below(999)}`,
      quantity: 1 + below(5),
      price: below(9000) / 100,
    })),
    ...(i % 10 === 0 && { note: 'leave at the door' }),
  }));
  return JSON.stringify({ version: '2.4.1', generated: '2026-11-29', currency: 'EUR', orders }, undefined, 2);
};

export const eventsNdjson = (): string => {
  const { below, pick } = random(3);
  return rows(300, (i) =>
    JSON.stringify({
      ts: 1_764_400_000 + i,
      level: i === 211 ? 'error' : 'info',
      event: pick(['login', 'logout', 'view']),
      user: below(500),
      ...(i === 211 && { message: 'session store unreachable' }),
    }),
  );
};

export const salesCsv = (): string => {
  const { below, pick } = random(4);
  return `order_id,placed_on,region,amount,comment\n${rows(400, (i) => `${1000 + i},2026-11-${two(1 + (i % 28))},${pick(['north', 'south', 'east'])},${below(99_999) / 100},${i % 50 === 7 ? '"late, call ""Bo"""' : ''}`)}`;
};

export const handbook = (): string => {
  const parts = ['Install', 'Configure', 'Run', 'Back up', 'Restore', 'Upgrade', 'Remove'];
  const text = (part: string) =>
    rows(
      9,
      (i) =>
        `Step ${i + 1} of ${part.toLowerCase()}: look at the panel and write down what it shows, then go on to the next.`,
    );
  return `# Operator's handbook\n\n${parts
    .map(
      (part, i) =>
        `## ${part}\n\n${text(part)}\n${i === 3 ? 'The backup must never run while the valve is open.\n\n' : ''}### Notes\n\n${text(part)}\n\`\`\`sh\n# not a heading\nmake ${part.toLowerCase()}\n\`\`\`\n`,
    )
    .join('\n')}`;
};

export const typescript = (): string =>
  `import { a } from './a.ts';\n\n${Array.from(
    { length: 12 },
    (_, i) =>
      `/** What number ${i} is for. ${i === 7 ? 'Callers must hold the lock.' : ''} */\nexport const step${i} = async (input: number): Promise<number> => {\n  if (input > ${i}) return input;\n  const doubled = input * 2;\n  return doubled + ${i};\n};\n\nexport class Runner${i} {\n  readonly #name = 'runner';\n\n  run(): void {\n    console.log(this.#name);\n  }\n}\n`,
  ).join('\n')}`;

export const patch = (): string =>
  Array.from({ length: 14 }, (_, i) =>
    [
      `diff --git a/src/part${i}.ts b/src/part${i}.ts`,
      'index 1111111..2222222 100644',
      `--- a/src/part${i}.ts`,
      `+++ b/src/part${i}.ts`,
      '@@ -1,4 +1,5 @@',
      ' const first = 1;',
      '-const second = 2;',
      `+const second = ${i};`,
      '+const third = 3;',
      ' export { first };',
      ' // end',
      '@@ -40,3 +41,2 @@ function tail() {',
      ' one',
      '--- a comment of SQL',
      ' two',
      '',
    ].join('\n'),
  ).join('');

export const compose = (): string =>
  `# services of the shop\nversion: "3.9"\nservices:\n${Array.from(
    { length: 24 },
    (_, i) =>
      `  service${i}:\n    image: registry/app${i}:1.${i}.0\n    ports:\n      - "80${two(i)}:80"\n    environment:\n      LOG_LEVEL: info\n      TOKEN_FILE: /run/secrets/t${i}\n    command: |\n      exec: not a key\n      serve\n`,
  ).join('')}volumes:\n  data: {}\n`;

export const page = (): string =>
  `<!doctype html>\n<html><head><title>Release notes &amp; more</title></head>\n<body>\n${Array.from(
    { length: 30 },
    (_, i) =>
      `<h2 id="v${i}">Version ${i}.0 <em>stable</em></h2>\n<p>${'Fixed a fault in the importer. '.repeat(4)}</p>\n`,
  ).join('')}</body></html>\n`;

export const minutes = (): string => {
  const { pick } = random(5);
  const talk = () =>
    rows(
      60,
      () =>
        `${pick(['Ann', 'Bo', 'Cy'])} said that the ${pick(['pump', 'roof', 'lamp'])} was ${pick(['fine', 'old', 'loud'])}.`,
    );
  return ['1. Opening', '2. The pump', '3. Money', '4. Any other matters']
    .map(
      (title, i) =>
        `${title}\n\n${talk()}${i === 1 ? 'The pump must be replaced by 2027-03-01 for at most 4,200 EUR.\n' : ''}`,
    )
    .join('\n');
};

export const picture = (): Buffer => {
  const { below } = random(6);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.from(Array.from({ length: 20_000 }, () => below(256))),
  ]);
};
