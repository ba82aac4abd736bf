import { createError } from '@adonisjs/core/exceptions'

export const E_LANGUAGE_FILE = createError<[file: string, key: string, reason: string]>(
  '%s %s: %s. Correct or remove it (docs/translating.md)',
  'E_LANGUAGE_FILE'
)
