/** What an expression comes to: a number, or a list of them at any depth. */
export type ExpressionValue = number | ExpressionValue[];

/**
 * Works out an expression of an asm.json, such as "[[cos(a_r(90)),0,5],…]": numbers, lists, + - * / ( ), C:PI and the functions of ClassCAD. An own
 * parser, nothing is executed. Answers a fault in words when the text is anything else, longer than 4,096 characters or nested deeper than 64 levels.
 */
export function evaluateExpression(source: string): { value: ExpressionValue } | { fault: string } {
  try {
    if (source.length > LONGEST) throw new Fault('longer than 4,096 characters');
    return { value: parse(source) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: `expression "${source.slice(0, 60)}": ${error.message}` };
  }
}

const LONGEST = 4096;
const DEEPEST = 64;

class Fault extends Error {}

const TOKENS = /\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|C:PI|[A-Za-z_]\w*|[-+*/(),[\]]|\S/g;

const FUNCTIONS: Record<string, (...given: number[]) => number> = {
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

// sum: product { +|- product }   product: primary { *|/ primary }   primary: number, C:PI, name(…), [ … ], ( sum ), -primary, +primary
function parse(source: string): ExpressionValue {
  const tokens = source.match(TOKENS) ?? [];
  let at = 0;
  let depth = 0;

  function sum(): ExpressionValue {
    let value = product();
    for (;;) {
      if (eat('+')) value = number(value) + number(product());
      else if (eat('-')) value = number(value) - number(product());
      else return value;
    }
  }

  function product(): ExpressionValue {
    let value = primary();
    for (;;) {
      if (eat('*')) value = number(value) * number(primary());
      else if (eat('/')) value = number(value) / number(primary());
      else return value;
    }
  }

  function primary(): ExpressionValue {
    if (++depth > DEEPEST) throw new Fault('nested too deep');
    const value = single();
    depth--;
    return value;
  }

  function single(): ExpressionValue {
    const token = tokens[at++];
    if (token === undefined) throw new Fault('ends too early');
    if (token === '(') {
      const value = sum();
      need(')');
      return value;
    }
    if (token === '[') return list(']');
    if (token === '-') return -number(primary());
    if (token === '+') return number(primary());
    if (token === 'C:PI') return Math.PI;
    if (/^[\d.]/.test(token) && Number.isFinite(Number(token))) return Number(token);
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (apply && eat('(')) return apply(...list(')').map(number));
    throw new Fault(/^[A-Za-z_]/.test(token) ? `unknown name ${token}` : `unexpected "${token}"`);
  }

  function list(close: string): ExpressionValue[] {
    const values: ExpressionValue[] = [];
    if (eat(close)) return values;
    do values.push(sum());
    while (eat(','));
    need(close);
    return values;
  }

  function eat(token: string): boolean {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  }

  function need(token: string): void {
    if (!eat(token)) throw new Fault(`"${token}" is missing`);
  }

  const value = sum();
  if (at < tokens.length) throw new Fault(`unexpected "${tokens[at]}"`);
  return value;
}

function number(value: ExpressionValue): number {
  if (typeof value !== 'number') throw new Fault('a list where a number is due');
  return value;
}
