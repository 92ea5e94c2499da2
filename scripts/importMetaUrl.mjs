// CommonJS has no import.meta.url: a bundle whose sources use it gets this one.
export const importMetaUrl = require('node:url').pathToFileURL(__filename).href;
