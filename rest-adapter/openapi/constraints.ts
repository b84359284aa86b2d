// What the OpenAPI description says about values beyond their GraphQL type. A test sends values outside of these limits.
import { ARTIFACT_KINDS, ATTACHMENT_KIND } from '../../subgraphs/core/domain/artifact-kind.ts';
import { BOM_LIMITS } from '../../subgraphs/core/domain/assembly/bom.ts';
import { AUDIT_ACTIONS } from '../../subgraphs/core/domain/audit/audit-action.ts';
import { CATALOGUE } from '../../subgraphs/core/domain/errors.ts';
import type { Schema } from './json-schema.ts';

const NAME = { minLength: 1, maxLength: 200 };
const COMMENT = { maxLength: 4000 };
const ACTION = { enum: Object.keys(AUDIT_ACTIONS) };
const SHA256 = { pattern: '^[0-9a-f]{64}$' };
const WAIT_SECONDS = { minimum: 0, maximum: 50 };
const ARTIFACT_KIND = {
  oneOf: [
    { type: 'string', enum: ARTIFACT_KINDS.filter((kind) => !kind.includes('<')) },
    { type: 'string', pattern: ATTACHMENT_KIND.source },
  ],
};

// By the name of an argument or input field, or by the coordinate of an argument, where a name has several meanings.
const INPUTS: Readonly<Record<string, Schema>> = {
  name: NAME,
  description: COMMENT,
  comment: COMMENT,
  note: COMMENT,
  step: { maxLength: 200 },
  number: { pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$', maxLength: 40 },
  ids: { minItems: 1, maxItems: 200 },
  percent: { minimum: 0, maximum: 100 },
  ttlSeconds: { minimum: 60, maximum: 86_400 },
  expiresInDays: { minimum: 1, maximum: 3650 },
  depth: { minimum: 1, maximum: BOM_LIMITS.depth },
  fromRow: { minimum: 0 },
  levels: { enum: ['1', 'all'] },
  action: ACTION,
  repoUrl: { maxLength: 2048 },
  ref: { minLength: 1, maxLength: 201 },
  url: { format: 'uri', maxLength: 2000 },
  issuer: { format: 'uri', maxLength: 500 },
  subject: { minLength: 1, maxLength: 255 },
  'Query.events(after)': { type: 'integer', minimum: 0 },
  'Query.auditVerification(waitSeconds)': WAIT_SECONDS,
  'Mutation.claimJob(workerId)': NAME,
  'Mutation.claimJob(waitSeconds)': WAIT_SECONDS,
  'Mutation.createWebhook(types)': { maxItems: 50 },
  'Mutation.updateWebhook(types)': { maxItems: 50 },
  'Mutation.uploadArtifact(kind)': ARTIFACT_KIND,
  'Mutation.deleteArtifact(kind)': ARTIFACT_KIND,
  'Query.download(kind)': ARTIFACT_KIND,
};

// By the coordinate of a field.
const OUTPUTS: Readonly<Record<string, Schema>> = {
  'Artifact.kind': ARTIFACT_KIND,
  'Artifact.sha256': SHA256,
  'AuditRecord.action': ACTION,
  'CloudEvent.type': ACTION,
  'WebhookDelivery.type': ACTION,
  'Permission.code': { enum: Object.keys(CATALOGUE) },
};

/** Returns the constraints of an argument, or of an input field if there is no coordinate. */
export function inputConstraints(name: string, coordinate = ''): Schema | undefined {
  return INPUTS[coordinate] ?? INPUTS[name];
}

/** Returns the constraints of an output field. */
export function outputConstraints(coordinate: string): Schema | undefined {
  return OUTPUTS[coordinate];
}
