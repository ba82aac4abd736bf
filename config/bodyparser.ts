import limits from '#config/limits'
import { defineConfig } from '@adonisjs/core/bodyparser'

/** Values are not trimmed: blanks may be part of a password. */
const verbatim = { trimWhitespaces: false, convertEmptyStringsToNull: false }

const PICTURE_FORM = limits.pictureBytes + limits.pictureFormBytes

export default defineConfig({
  allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  json: { ...verbatim, limit: limits.bodyBytes, types: ['application/json'] },
  form: { ...verbatim, limit: limits.bodyBytes },
  raw: { types: [] },
  /** Only the controller that expects an upload reads it: others must not write files for an attacker. */
  multipart: { ...verbatim, autoProcess: false, limit: PICTURE_FORM, maxFields: 10 },
})
