import { formatAddress, parseAddress } from '../../core/domain/assembly/address.ts';
import { lost, type Resolution, resolveAddress } from '../../core/domain/assembly/reference.ts';
import type { Context } from '../../core/graphql.ts';
import { candidatesOf, documentsNamed } from '../../core/store/assembly/resolve-references.ts';
import { revisionsOf } from '../../core/store/revisions.ts';
import { versionsOf } from '../../core/store/versions.ts';

/** What an address means now, why, and why every other version of the document lost. */
export type ResolvedAddress = {
  address: string;
  documentId: string | null;
  number: string | null;
  resolution: Resolution | null;
  status: 'resolved' | 'unresolved';
  reason: string;
  rejectedCandidates: ReturnType<typeof lost>;
};

/** Explains an address: what it resolves to and why the other candidates lost. Refuses what is no address with `bad_address`. */
export async function explainAddress({ scope }: Context, input: { address: string }): Promise<ResolvedAddress> {
  const address = parseAddress(input.address.trim());
  const document = (await documentsNamed(scope, new Set([address.target]))).get(address.target) ?? null;
  const candidates =
    document &&
    candidatesOf(document, await versionsOf(scope, [document._id]), await revisionsOf(scope, [document._id]));
  const { resolution, reason } = resolveAddress(address, candidates);
  return {
    address: formatAddress(address),
    documentId: document?._id ?? null,
    number: document?.number ?? null,
    resolution,
    status: resolution ? 'resolved' : 'unresolved',
    reason,
    rejectedCandidates: candidates ? lost(address, candidates, resolution) : [],
  };
}
