// Secrets by their own form or by their place, each rule a row.
import type { Finding } from './mask.ts';
import { isPassword, isToken } from './values.ts';

/**
 * `words`: in lower case and none within another; where there are any, the rule finds nothing in a text without one of them. The
 * secret is the pattern's last group, or all of it. Each of the patterns takes linear time: what repeats has a bound, or ends
 * where the next match begins.
 */
type Rule = { rule: string; words: readonly string[]; pattern: RegExp; judge?: (secret: string) => boolean };

/** A token begins here: not within another word, but behind an escaped line end of JSON. */
const start = String.raw`(?:(?<![\w-])|(?<=\\[nrt]))`;

const token = (rule: string, words: readonly string[], pattern: string): Rule => ({
  rule,
  words,
  pattern: new RegExp(`${start}(?:${pattern})(?![A-Za-z0-9])`, 'g'),
  judge: (secret) => !/(.)\1{9}/.test(secret),
});

const decodesToPassword = (secret: string): boolean =>
  /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]+$/.test(Buffer.from(secret, 'base64').toString('latin1'));

const vendors: readonly Rule[] = [
  token('aws', ['akia', 'asia'], '(?:AKIA|ASIA)[A-Z0-9]{16}'),
  token('google', ['aiza', 'gocspx-', 'ya29.'], String.raw`AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,512}`),
  token(
    'github',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    String.raw`gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22}_\w{59}`,
  ),
  token('gitlab', ['glpat-', 'gldt-', 'glrt-'], String.raw`gl(?:pat|dt|rt)-[\w.-]{20,128}`),
  token(
    'slack',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    String.raw`xox[abeoprs]-[\w-]{10,255}|xapp-[\w-]{20,255}`,
  ),
  {
    rule: 'slack',
    words: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/([\w/-]{20,255})/g,
  },
  token('stripe', ['k_live_', 'k_test_', 'whsec_'], String.raw`[sr]k_(?:live|test)_\w{16,255}|whsec_[\w+/]{24,255}`),
  token('sendgrid', ['sg.'], String.raw`SG\.[\w-]{16,32}\.[\w-]{30,64}`),
  token('npm', ['npm_'], 'npm_[A-Za-z0-9]{36}'),
  token('pypi', ['pypi-'], String.raw`pypi-[\w-]{50,512}`),
  token('huggingface', ['hf_'], 'hf_[A-Za-z0-9]{30,64}'),
  token('groq', ['gsk_'], 'gsk_[A-Za-z0-9]{40,64}'),
  token('notion', ['ntn_', 'secret_'], 'ntn_[A-Za-z0-9]{40,64}|secret_[A-Za-z0-9]{43}'),
  token('grafana', ['glsa_', 'glc_'], String.raw`glsa_\w{40,64}|glc_[\w+/]{32,400}={0,2}`),
  token('vault', ['hvs.', 'hvb.', 'hvr.'], String.raw`hv[sbr]\.[\w-]{24,255}`),
  token('digitalocean', ['dop_v1_', 'doo_v1_', 'dor_v1_'], 'do[opr]_v1_[0-9a-f]{64}'),
  token('shopify', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  token('databricks', ['dapi'], String.raw`dapi[0-9a-f]{32}(?:-\d)?`),
  token('docker', ['dckr_'], String.raw`dckr_[po]at_[\w-]{20,64}`),
  token('linear', ['lin_'], String.raw`lin_(?:api|oauth)_\w{32,64}`),
  token('figma', ['figd_'], String.raw`figd_[\w-]{38,64}`),
  token('tailscale', ['tskey-'], String.raw`tskey-[a-z]{3,12}-[\w-]{16,128}`),
  token('1password', ['ops_'], String.raw`ops_eyJ[\w-]{100,2048}`),
  token('telegram', [':aa'], String.raw`\d{8,10}:AA[\w-]{33}`),
  token('age', ['age-secret-key-1'], 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  token('jwt', ['eyj'], String.raw`eyJ[\w-]{8,4096}\.eyJ?[\w-]{8,8192}\.[\w-]{8,1024}`),
  { ...token('sk', ['sk-'], String.raw`sk-[\w-]{8,255}`), judge: (secret) => isToken(secret.slice(3)) },
];

/** Where a secret stands, it is one whatever it looks like, if it is no placeholder. */
const places: readonly Rule[] = [
  { rule: 'bearer', words: ['bearer'], pattern: /\bbearer[ \t]{1,4}([\w.~+/-]{8,8192}=*)/gi, judge: isToken },
  {
    rule: 'basic',
    words: ['basic'],
    pattern: /\bbasic[ \t]{1,4}([A-Za-z0-9+/]{8,2048}={0,2})/gi,
    judge: decodesToPassword,
  },
  {
    rule: 'token',
    words: ['uthorization'],
    pattern:
      /authorization["'`]?\]?[ \t]{0,3}[:=,][ \t]{0,3}["'`]?(?:token|apikey|api-key|key)[ \t=]{1,4}([\w.~+/-]{8,2048}=*)/gi,
    judge: isToken,
  },
  {
    rule: 'url',
    words: ['://'],
    pattern: /[a-z][a-z\d+.-]{1,20}:\/\/[^\x00-\x20/:@"'`<>\\]{0,128}:([^\x00-\x20/"'`<>\\]{8,4096})@(?=[\w[$%{-])/gi, // oxlint-disable-line no-control-regex
    judge: isPassword,
  },
  {
    rule: 'password',
    words: ['curl'],
    pattern:
      /\bcurl\b[^\r\n]{0,400}?[ \t](?:-u|-U|--user|--proxy-user)[ =]{0,2}["']?[^\x00-\x20:"'$]{1,64}:([^\x00-\x20"'\\]{8,256})/g, // oxlint-disable-line no-control-regex
    judge: isPassword,
  },
  {
    rule: 'password',
    words: ['mysql', 'mariadb', 'sshpass', 'docker'],
    pattern:
      /\b(?:(?:mysql\w{0,10}|mariadb[\w-]{0,10})[ \t][^\r\n]{0,200}?[ \t]?-p|sshpass[ \t]+-p[ \t]*|docker login[ \t][^\r\n]{0,200}?[ \t]-p[ =]?)["']?([^\x00-\x20"'\\]{8,256})/g, // oxlint-disable-line no-control-regex
    judge: (secret) => isPassword(secret) && /\d/.test(secret),
  },
  {
    rule: 'password',
    words: ['login'],
    pattern: /(?<![\w-])login[ \t]+[!-~]{1,128}[ \t]+password[ \t]+["']?([!#-&(-~\x80-\xff]{8,256})/g,
    judge: isPassword,
  },
  {
    rule: 'password',
    words: ['password'],
    pattern: /^[ \t]{0,20}password[ \t]{1,20}([!-~\x80-\xff]{8,256})[ \t]{0,20}\r?$/gm,
    judge: (secret) => isPassword(secret) && /\d/.test(secret),
  },
  {
    rule: 'password',
    words: [],
    pattern:
      /:(?:\d{1,5}|\*):(?<=^(?:[\w.-]{1,255}|\*):[\d*]{1,5}:)[a-z_*][\w.*-]{0,63}:[a-z_*][\w.*-]{0,63}:([^\x00-\x20:]{8,256})\r?$/gim, // oxlint-disable-line no-control-regex
    judge: (secret) => isPassword(secret) && isToken(secret),
  },
];

const rules: readonly Rule[] = [...vendors, ...places];

const words = new Set(rules.flatMap((rule) => rule.words));
/** One pass over a text tells which rules may find something in it. */
const anyWord = new RegExp([...words].map((word) => word.replace(/[.]/g, String.raw`\.`)).join('|'), 'g');

/** What the rules of forms and places find; `lower` is the text in lower case. */
export const findByForm = (text: string, lower: string): Finding[] => {
  const found: Finding[] = [];
  const present = new Set<string>();
  for (const [word] of lower.matchAll(anyWord)) present.add(word);
  for (const rule of rules) {
    if (rule.words.length > 0 && !rule.words.some((word) => present.has(word))) continue;
    for (const match of text.matchAll(rule.pattern)) {
      const secret = match.at(-1) ?? '';
      if (rule.judge && !rule.judge(secret)) continue;
      const end = match.index + match[0].lastIndexOf(secret) + secret.length;
      found.push({ start: end - secret.length, end, rule: rule.rule });
    }
  }
  return found;
};
