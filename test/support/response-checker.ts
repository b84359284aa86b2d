import { type Schema, Validator } from '@cfworker/json-schema';

type Json = { [key: string]: unknown };

/** Returns a function that checks a response against the OpenAPI description and returns an error message or null. */
export function responseChecker(
  description: Json,
): (operation: Json, answer: { status: number; type: string; body: string }) => string | null {
  const components = of(description.components);
  const validators = new Map<object, Validator>();
  const validatorOf = (schema: Json): Validator => {
    const validator = validators.get(schema) ?? new Validator({ ...schema, components } as Schema, '2020-12', false);
    validators.set(schema, validator);
    return validator;
  };
  return (operation, { status, type, body }) => {
    const responses = of(operation.responses);
    const named = of(responses[status] ?? (status >= 400 ? responses.default : undefined));
    if (!Object.keys(named).length) return `${status} is not described`;
    const response = '$ref' in named ? of(of(components.responses)[String(named.$ref).split('/').at(-1) ?? '']) : named;
    const content = of(response.content);
    if (!Object.keys(content).length) return body === '' ? null : `${status} has a body that is not described`;
    const media = content[type.split(';')[0] ?? ''] ?? content['*/*'];
    if (!media) return `${status} is of the type ${type}, which is not described`;
    if (!/json/.test(type) || !('schema' in of(media)) || '*/*' in content) return null;
    const { valid, errors } = validatorOf(of(of(media).schema)).validate(JSON.parse(body));
    return valid ? null : errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('; ');
  };
}

const of = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
