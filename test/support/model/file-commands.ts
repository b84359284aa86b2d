// Files of drafts, the uses in assemblies, and reference updates.
import { createHash } from 'node:crypto';
import { contentRefusals, type ModelCommand, roleRefusals, the, when } from './model-command.ts';
import { type Choose, FILE_NAMES, someId } from './random-input.ts';
import { addressOf, leadsTo, type Model, moved, of, resolved, type Use, versionsOf, type Who } from './state.ts';

const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Usually a draft, sometimes a version. */
function someDraft(m: Model, pick: Choose, wanted: (id: string) => boolean = () => true): string {
  const drafts = [...m.states.values()].filter(({ id, n }) => n === null && wanted(id)).map(({ id }) => id);
  return someId(m, pick, drafts.length && !pick.chance(12) ? drafts : m.states.keys()) ?? m.root;
}
const kindOf = (m: Model, versionId: string): string | undefined =>
  m.documents.get(m.states.get(versionId)?.documentId ?? '')?.kind;
const documentOf = (m: Model, versionId: string): string => m.states.get(versionId)?.documentId ?? m.root;

function upload(
  m: Model,
  who: Who,
  id: string,
  kind: string,
  { fileName, content, uses }: { fileName: string; content: string; uses: Use[] },
): ModelCommand {
  const belongs = (m: Model): boolean =>
    kind === 'source' ? kindOf(m, id) === 'model' : kind !== 'asm-json' || kindOf(m, id) === 'assembly';
  return {
    who,
    method: 'POST',
    path: `/versions/${id}/artifacts?kind=${kind}`,
    file: { fileName, content },
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...contentRefusals(m, id, who),
      ...when({ wrong_kind: m.states.has(id) && !belongs(m), reference_cycle: leadsTo(m, uses, documentOf(m, id)) }),
    ],
    apply(m) {
      the(m.states, id).files.set(kind, { fileName, sha256: sha256Of(content), uses });
      return ['artifact.uploaded'];
    },
  };
}

export function uploadFile(m: Model, pick: Choose, who: Who): ModelCommand {
  const kind = pick.of(['source', 'attachment.a', 'attachment.a', 'attachment.b'])!;
  const id = someDraft(m, pick);
  return upload(m, who, id, kind, {
    fileName: pick.of(FILE_NAMES)!.normalize('NFC'),
    content: `content ${pick.number(4)}`,
    uses: [],
  });
}

/** Usually an address of an existing document and state, sometimes of a missing one. */
function someUse(m: Model, pick: Choose): Use {
  const document = pick.of([...m.documents.values()]);
  const quantity = 1 + pick.number(4);
  if (!document || pick.chance(15))
    return { target: `${m.root.slice(-8).toUpperCase()}-${pick.number(6)}`, at: '', quantity };
  const labels = of(m.revisions, document.id).map(({ label }) => `@${label}`);
  const versions = versionsOf(m, document.id).map(({ n }) => `@v${n}`);
  const at = pick.of(['', ...labels, ...labels, ...versions, pick.chance(4) ? '@v9' : '', pick.chance(4) ? '@Y' : ''])!;
  return { target: pick.chance(3) ? document.id : document.number, at, quantity };
}

export function uploadAssembly(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someDraft(m, pick, (draft) => kindOf(m, draft) === 'assembly');
  const uses = Array.from({ length: pick.number(4) }, () => someUse(m, pick));
  return upload(m, who, id, 'asm-json', { fileName: 'asm.json', content: asmJson(uses), uses });
}

function asmJson(uses: readonly Use[]): string {
  const templates = uses.map((use, i) => ({ ident: `部品 ${i}`, reference: { location: addressOf(use) } }));
  const instances = uses.flatMap(({ quantity }, i) =>
    Array.from({ length: quantity }, (_, k) => ({ ident: `${i}-${k} 🔩`, template: `部品 ${i}` })),
  );
  return JSON.stringify({ templates, instances });
}

export function deleteFile(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someDraft(m, pick, (draft) => the(m.states, draft).files.size > 0);
  const kind = pick.of([...(m.states.get(id)?.files.keys() ?? []), 'attachment.a'])!;
  return {
    who,
    method: 'DELETE',
    path: `/versions/${id}/artifacts/${kind}`,
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...contentRefusals(m, id, who),
      ...when({ not_found: !m.states.get(id)?.files.has(kind) }),
    ],
    apply(m) {
      the(m.states, id).files.delete(kind);
      return ['artifact.deleted'];
    },
  };
}

export function takeUpdates(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someDraft(m, pick, (draft) =>
    (m.states.get(draft)?.files.get('asm-json')?.uses ?? []).some(({ at }) => at !== ''),
  );
  const to = pick.of([undefined, 'release', 'version'] as const);
  const usesOf = (m: Model): Use[] => m.states.get(id)?.files.get('asm-json')?.uses ?? [];
  const after = (m: Model): Use[] => usesOf(m).map((use) => moved(m, use, to, resolved(m, use)?.id ?? null) ?? use);
  const moves = (m: Model): boolean => after(m).some(({ at }, i) => at !== usesOf(m)[i]?.at);
  return {
    who,
    method: 'POST',
    path: `/versions/${id}/reference-updates`,
    body: { to },
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...contentRefusals(m, id, who),
      ...when({
        wrong_kind: m.states.has(id) && kindOf(m, id) !== 'assembly',
        reference_cycle: moves(m) && leadsTo(m, after(m), documentOf(m, id)),
      }),
    ],
    apply(m, { artifact }) {
      if (!moves(m)) return [];
      const { fileName } = the(the(m.states, id).files, 'asm-json');
      the(m.states, id).files.set('asm-json', { fileName, sha256: artifact?.sha256 ?? '', uses: after(m) });
      return ['references.updated'];
    },
  };
}
