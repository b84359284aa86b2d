// Links to commits.

/** Returns the web page of a commit at common Git hosts; null if the repository has no https URL. */
function commitUrl(repoUrl: string, commit: string): string | null {
  if (!URL.canParse(repoUrl)) return null;
  const { protocol, origin, pathname } = new URL(repoUrl);
  if (protocol !== 'https:') return null;
  return `${origin}${pathname.replace(/\/$/, '').replace(/\.git$/, '')}/commit/${commit}`;
}

/** An abbreviated commit hash, linked to its web page if there is one. */
export function CommitLink({ repoUrl, commit }: { repoUrl: string | undefined; commit: string }) {
  const url = repoUrl && commitUrl(repoUrl, commit);
  const short = <code title={commit}>{commit.slice(0, 10)}</code>;
  return url ? (
    <a href={url} rel="noreferrer" target="_blank">
      {short}
    </a>
  ) : (
    short
  );
}
