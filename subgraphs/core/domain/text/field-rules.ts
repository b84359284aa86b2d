// The rules of text fields, by the name of the field in requests.
import { DomainError, type FieldError, fieldErrorsOf } from '../errors.ts';
import { validateNumber } from '../number.ts';
import { validateComment, validateName } from './text.ts';

const RULES: Readonly<Record<string, (text: string) => unknown>> = {
  name: validateName,
  number: validateNumber,
  workerId: (text) => validateName(text, 'workerId'),
  comment: (text) => validateComment(text),
  description: (text) => validateComment(text, 'description'),
  note: (text) => validateComment(text, 'note'),
};

/** Returns the errors of the text fields of a request that have rules. */
export function textErrors(fields: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const validate = Object.hasOwn(RULES, field) ? RULES[field] : undefined;
    if (!validate || typeof value !== 'string' || !value.isWellFormed()) return [];
    try {
      validate(value);
      return [];
    } catch (error) {
      if (error instanceof DomainError) return fieldErrorsOf(error);
      throw error;
    }
  });
}
