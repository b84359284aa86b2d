// Compares a draft with the version that it is based on.
export type Content = {
  bomDigest: string | null;
  code: { repoUrl: string; ref: string; path: string; commit: string | null } | null;
  artifacts: readonly { kind: string; sha256: string; generator: string | null }[];
};

/**
 * Returns whether a version of the draft would equal its base version: the same uploaded files, the same repository and
 * components that resolve to the same versions. Derived files follow from these.
 */
export const isUnchanged = (draft: Content, base: Content): boolean => fingerprint(draft) === fingerprint(base);

const fingerprint = ({ bomDigest, code, artifacts }: Content): string =>
  JSON.stringify([
    bomDigest,
    code && [code.repoUrl, code.ref, code.path, code.commit],
    artifacts
      .filter(({ generator }) => generator === null)
      .map(({ kind, sha256 }) => `${kind} ${sha256}`)
      .sort(),
  ]);
