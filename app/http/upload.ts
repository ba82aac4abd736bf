import type { HttpContext } from '@adonisjs/core/http'
import { invalidPicture } from '#users/errors'

const keptFiles = new WeakMap<HttpContext, Buffer>()

export function setUpload(ctx: HttpContext, file: Buffer | null) {
  if (file) keptFiles.set(ctx, file)
}

/** @throws E_VALIDATION_ERROR if the form contained no file */
export function getUploadOrFail(ctx: HttpContext) {
  const file = keptFiles.get(ctx)
  if (!file) throw invalidPicture()
  return file
}
