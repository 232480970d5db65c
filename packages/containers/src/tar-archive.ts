/** Archives in the tar format, in which engines take files. */
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

export interface ArchivedFile {
  /** Path in the archive; its folders are created. */
  path: string;
  content: string | Buffer;
  /** Default: 0644. */
  mode?: number;
  /** Owner and group. Default: root. */
  uid?: number;
}

/** Equal files make equal archives: the time of every file is 0. */
export async function tarOf(files: readonly ArchivedFile[]): Promise<Buffer> {
  const archive = pack();
  for (const { path, content, mode = 0o644, uid = 0 } of files) {
    archive.entry({ name: path, mode, uid, gid: uid, mtime: new Date(0) }, content);
  }
  archive.finalize();
  return buffer(archive as unknown as NodeJS.ReadableStream);
}
