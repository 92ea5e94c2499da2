// Stands in for the module `vscode` where declarations of window rooms are read outside of VS Code.
export const l10n = { t: (words: string): string => words };
