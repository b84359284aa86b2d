// Resolves an address and explains the result.
import { formatAddress, parseAddress } from '../../core/domain/assembly/address.ts';
import { type Resolution, rejectedCandidates, resolveAddress } from '../../core/domain/assembly/reference.ts';
import type { Context } from '../../core/graphql.ts';
import { candidatesOf, findDocuments } from '../../core/store/assembly/resolve-references.ts';
import { revisionsOf } from '../../core/store/revisions.ts';
import { versionsOf } from '../../core/store/versions.ts';

/** The version that an address resolves to now, the reason, and why each other version of the document was rejected. */
export type ResolvedAddress = {
  address: string;
  documentId: string | null;
  number: string | null;
  resolution: Resolution | null;
  status: 'resolved' | 'unresolved';
  reason: string;
  rejectedCandidates: ReturnType<typeof rejectedCandidates>;
};

/** Resolves an address and explains the result. Throws `bad_address` if the address is invalid. */
export async function explainAddress({ scope }: Context, input: { address: string }): Promise<ResolvedAddress> {
  const address = parseAddress(input.address.trim());
  const document = (await findDocuments(scope, new Set([address.target]))).get(address.target) ?? null;
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
    rejectedCandidates: candidates ? rejectedCandidates(address, candidates, resolution) : [],
  };
}
