// Generates random operations over a schema: aliases, arguments, fragments, @skip and @include. Equal seeds give equal
// operations.
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

export type Random = { next(): number; one<T>(list: readonly T[]): T };

/** Creates a linear congruential generator of numbers from 0 to 1. */
export function seeded(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) / 0x7fffff;
  };
  return { next, one: (list) => list[Math.min(Math.floor(next() * list.length), list.length - 1)]! };
}

/**
 * Generates a random query with the variables `$yes: Boolean = true` and `$no: Boolean!`. Validate it: its fields may
 * conflict.
 */
export function randomOperation(schema: GraphQLSchema, random: Random, fieldBudget = 40): string {
  const fragments: string[] = [];
  let aliases = 0;
  let budget = fieldBudget;

  const directive = () => {
    const chance = random.next();
    if (chance >= 0.2) return '';
    return ` @${chance < 0.1 ? 'include' : 'skip'}(if: $${chance % 0.1 < 0.05 ? 'yes' : 'no'})`;
  };

  const field = ({ name, type, args }: GraphQLField<unknown, unknown>, depth: number): string | undefined => {
    const named = getNamedType(type);
    if (!isLeafType(named) && depth <= 0) return undefined;
    const below = isLeafType(named) ? '' : ` ${selection(named, depth - 1)}`;
    const chosen = args.filter((argument) => isNonNullType(argument.type) || random.next() < 0.3);
    const list = chosen.length
      ? `(${chosen.map((argument) => `${argument.name}: ${randomLiteral(argument.type, random)}`).join(', ')})`
      : '';
    const alias = args.length || random.next() < 0.25 ? `a${aliases++}: ` : '';
    return `${alias}${name}${list}${directive()}${below}`;
  };

  const selection = (type: GraphQLNamedType, depth: number): string => {
    const parts = random.next() < 0.3 ? ['__typename'] : [];
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const count = 1 + Math.floor(random.next() * 4);
    for (let index = 0; fields.length && index < count && budget > 0; index++) {
      budget -= 1;
      const text = field(random.one(fields), depth);
      if (text) parts.push(text);
    }
    if (isAbstractType(type)) {
      for (const possible of schema.getPossibleTypes(type))
        if (random.next() < 0.7) parts.push(`... on ${possible.name} ${selection(possible, depth)}`);
    }
    if (random.next() < 0.15) {
      const name = `F${fragments.length}`;
      const at = fragments.push('') - 1;
      fragments[at] = `fragment ${name} on ${type.name} ${selection(type, Math.max(0, depth - 1))}`;
      parts.push(`...${name}`);
    }
    if (random.next() < 0.1) parts.push(`...${directive()} ${selection(type, Math.max(0, depth - 1))}`);
    return `{ ${parts.length ? parts.join(' ') : '__typename'} }`;
  };

  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no Query');
  return `query Q($yes: Boolean = true, $no: Boolean!) ${selection(query, 4)}\n${fragments.join('\n')}`;
}

function randomLiteral(inputType: GraphQLInputType, random: Random): string {
  const type = isNonNullType(inputType) ? inputType.ofType : inputType;
  if (isListType(type)) return `[${randomLiteral(type.ofType, random)}]`;
  if (isEnumType(type)) return random.one(type.getValues()).name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{ ${fields.map((field) => `${field.name}: ${randomLiteral(field.type, random)}`).join(', ')} }`;
  }
  const scalar = getNamedType(type).name;
  if (scalar === 'Int' || scalar === 'Float') return String(Math.floor(random.next() * 5));
  if (scalar === 'Boolean') return String(random.next() < 0.5);
  return JSON.stringify(random.one(['Document1', 'Version2', 'x']));
}
