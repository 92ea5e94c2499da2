// The page of a webview.
import type { ViewId } from './protocol.ts';
import type { Words } from './words.ts';

/** What a webview's page is made of; none of it but the words is escaped, so none may come from outside. */
export type PageParts = {
  view: ViewId;
  /** The source that the webview's own files have under its content security policy. */
  source: string;
  script: string;
  style: string;
  /** New for each page. */
  nonce: string;
  language: string;
  words: Words;
};

// The webview toolkit makes an empty style element and fills it by script, which the policy allows. This is the hash of
// nothing: no inline style with anything in it has it.
const emptyStyle = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The page of a webview. Nothing runs or loads but our script and our styles. */
export const page = ({ view, source, script, style, nonce, language, words }: PageParts): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${source} '${emptyStyle}'; script-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loom</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<h1 class="unseen">Loom</h1>
<div id="view" class="${view}" data-words="${attribute(JSON.stringify(words))}"></div>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
