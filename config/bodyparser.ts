import { defineConfig } from '@adonisjs/core/bodyparser'

/** Values are not trimmed: blanks may be part of a password. */
const verbatim = { trimWhitespaces: false, convertEmptyStringsToNull: false }

export default defineConfig({
  allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  json: { ...verbatim, limit: '64kb', types: ['application/json'] },
  form: { ...verbatim, limit: '64kb' },
  raw: { types: [] },
  /** Only the controller that expects an upload reads it: others must not write files for an attacker. */
  multipart: { ...verbatim, autoProcess: false, limit: '2100kb', maxFields: 10 },
})
