// Recognizes the database's error for a unique value that exists already.
import { MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11000;

export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}
