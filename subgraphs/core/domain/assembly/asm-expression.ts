// Evaluates the arithmetic expressions of asm.json.

/** The value of an expression: a number, or a list of values. */
export type ExpressionValue = number | ExpressionValue[];

/**
 * Evaluates an expression such as "[[cos(a_r(90)),0,5],…]": numbers, lists, + - * / ( ), C:PI and the functions of
 * ClassCAD. The parser executes no code. Returns an error message for other text, more than 4,096 characters or nesting
 * deeper than 64 levels.
 */
export function evaluateExpression(source: string): { value: ExpressionValue } | { error: string } {
  try {
    if (source.length > MAX_LENGTH) throw new ExpressionError('longer than 4,096 characters');
    return { value: parse(source) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { error: `expression "${source.slice(0, 60)}": ${error.message}` };
  }
}

const MAX_LENGTH = 4096;
const MAX_DEPTH = 64;

class ExpressionError extends Error {}

const TOKENS = /\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|C:PI|[A-Za-z_]\w*|[-+*/(),[\]]|\S/g;

const FUNCTIONS: Record<string, (...args: number[]) => number> = {
  abs: Math.abs,
  sign: Math.sign,
  max: Math.max,
  min: Math.min,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: (y = Number.NaN, x) => (x === undefined ? Math.atan(y) : Math.atan2(y, x)),
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  a_r: (degrees = Number.NaN) => (degrees * Math.PI) / 180,
  r_a: (radians = Number.NaN) => (radians * 180) / Math.PI,
  exp: Math.exp,
  ln: Math.log,
  log: Math.log10,
  sqrt: Math.sqrt,
  pow: Math.pow,
  fmod: (a = Number.NaN, b = Number.NaN) => a % b,
  div: (a = Number.NaN, b = Number.NaN) => Math.trunc(a / b),
  round: (x = Number.NaN, digits = 0) => Math.round(x * 10 ** digits) / 10 ** digits,
};

// sum: product { +|- product }   product: primary { *|/ primary }   primary: number, C:PI, name(…), [ … ], ( sum ),
// -primary, +primary
function parse(source: string): ExpressionValue {
  const tokens = source.match(TOKENS) ?? [];
  let at = 0;
  let depth = 0;

  function sum(): ExpressionValue {
    let value = product();
    for (;;) {
      if (accept('+')) value = requireNumber(value) + requireNumber(product());
      else if (accept('-')) value = requireNumber(value) - requireNumber(product());
      else return value;
    }
  }

  function product(): ExpressionValue {
    let value = primary();
    for (;;) {
      if (accept('*')) value = requireNumber(value) * requireNumber(primary());
      else if (accept('/')) value = requireNumber(value) / requireNumber(primary());
      else return value;
    }
  }

  function primary(): ExpressionValue {
    if (++depth > MAX_DEPTH) throw new ExpressionError('nested too deeply');
    const value = operand();
    depth--;
    return value;
  }

  function operand(): ExpressionValue {
    const token = tokens[at++];
    if (token === undefined) throw new ExpressionError('unexpected end');
    if (token === '(') {
      const value = sum();
      expect(')');
      return value;
    }
    if (token === '[') return list(']');
    if (token === '-') return -requireNumber(primary());
    if (token === '+') return requireNumber(primary());
    if (token === 'C:PI') return Math.PI;
    if (/^[\d.]/.test(token) && Number.isFinite(Number(token))) return Number(token);
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (apply && accept('(')) return apply(...list(')').map(requireNumber));
    throw new ExpressionError(/^[A-Za-z_]/.test(token) ? `unknown name ${token}` : `unexpected "${token}"`);
  }

  function list(close: string): ExpressionValue[] {
    const values: ExpressionValue[] = [];
    if (accept(close)) return values;
    do values.push(sum());
    while (accept(','));
    expect(close);
    return values;
  }

  function accept(token: string): boolean {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  }

  function expect(token: string): void {
    if (!accept(token)) throw new ExpressionError(`missing "${token}"`);
  }

  const value = sum();
  if (at < tokens.length) throw new ExpressionError(`unexpected "${tokens[at]}"`);
  return value;
}

function requireNumber(value: ExpressionValue): number {
  if (typeof value !== 'number') throw new ExpressionError('expected a number, found a list');
  return value;
}
