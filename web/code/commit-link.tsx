/** The address of a commit on the web, as the usual hosts have it; null for what is no https address. */
function commitAddress(repoUrl: string, commit: string): string | null {
  if (!URL.canParse(repoUrl)) return null;
  const { protocol, origin, pathname } = new URL(repoUrl);
  if (protocol !== 'https:') return null;
  return `${origin}${pathname.replace(/\/$/, '').replace(/\.git$/, '')}/commit/${commit}`;
}

/** A commit by its first letters, linked where its repository is on the web. */
export function CommitLink({ repoUrl, commit }: { repoUrl: string | undefined; commit: string }) {
  const to = repoUrl && commitAddress(repoUrl, commit);
  const short = <code title={commit}>{commit.slice(0, 10)}</code>;
  return to ? (
    <a href={to} rel="noreferrer" target="_blank">
      {short}
    </a>
  ) : (
    short
  );
}
