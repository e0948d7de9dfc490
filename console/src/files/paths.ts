/** Where a sandbox's own work is; what is shown first. */
export const HOME = '/workspace';

export function join(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The page's address of a file or folder. */
export function addressOf(sandbox: string, path: string): string {
  return `/sandboxes/${sandbox}/files${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function contentUrl(sandbox: string, path: string, download = false): string {
  return `${filesUrl(sandbox)}/content?${new URLSearchParams({ path, ...(download ? { download: 'true' } : {}) })}`;
}

export function archiveUrl(sandbox: string, path: string, format: 'zip' | 'tar.gz'): string {
  return `${filesUrl(sandbox)}/archive?${new URLSearchParams({ path, format })}`;
}

function filesUrl(sandbox: string): string {
  return `/api/v1/sandboxes/${encodeURIComponent(sandbox)}/files`;
}
