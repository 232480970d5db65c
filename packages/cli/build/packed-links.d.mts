export function repositoryFiles(root: string): string | undefined;
export function withAbsoluteLinks(text: string, file: string, files: string | undefined): string;
