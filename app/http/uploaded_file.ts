import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import {
  E_BAD_REQUEST,
  E_PAYLOAD_TOO_LARGE,
  E_UNSUPPORTED_MEDIA_TYPE,
  invalidField,
} from '#exceptions/http_errors'
import { invalidPicture } from '#users/errors'

/**
 * Reads the file into memory, so that a refused or interrupted upload leaves no temporary file.
 * @param limit in bytes; the rest of a larger file is not kept
 * @throws E_PAYLOAD_TOO_LARGE, and E_VALIDATION_ERROR unless one file is in the part of this name
 */
export async function uploadedFile(ctx: HttpContext, name: string, limit: number) {
  const { file } = await uploadedForm(ctx, name, limit)
  if (!file) throw invalidPicture()
  return file
}

function severalFiles(name: string) {
  return invalidField(name, 'single', `The form must have one file, in the part ${name}`)
}

interface UploadedForm {
  file: Buffer | null
  fields: Record<string, string>
}

export async function uploadedForm(
  { request }: HttpContext,
  name: string,
  limit: number
): Promise<UploadedForm> {
  if (!request.is(['multipart/form-data'])) throw new E_UNSUPPORTED_MEDIA_TYPE()
  const declaredLength = Number(request.header('content-length') ?? 0)
  if (declaredLength > limit + limits.pictureFormBytes) throw new E_PAYLOAD_TOO_LARGE()
  if (request.request.destroyed) throw new E_BAD_REQUEST()
  return receive(request.request, name, limit)
}

function receive(request: IncomingMessage, name: string, limit: number) {
  return new Promise<UploadedForm>((resolve, reject) => {
    const parser = parserOf(request, limit)
    const refuse = (refusal: Error) => {
      request.unpipe(parser)
      reject(refusal)
    }
    const chunks = collectFile(parser, name, refuse)
    const fields: UploadedForm['fields'] = {}
    parser.on('field', (field: string, value: string) => {
      fields[field] = value
    })
    parser.on('filesLimit', () => refuse(severalFiles(name)))
    parser.on('error', () => refuse(new E_BAD_REQUEST()))
    parser.on('finish', () => resolve({ file: chunks(), fields }))
    request.on('close', () => request.complete || refuse(new E_BAD_REQUEST()))
    request.pipe(parser)
  })
}

/** @returns a function that returns the bytes, or null without such a part */
function collectFile(
  parser: ReturnType<typeof parserOf>,
  name: string,
  refuse: (refusal: Error) => void
) {
  let chunks: Buffer[] | null = null
  parser.on('file', (field: string, file: BusboyFileStream) => {
    /** An interrupted part emits `error` on its own stream; without a listener the process would end. */
    file.on('error', () => refuse(new E_BAD_REQUEST()))
    if (field !== name) return file.resume()
    const kept = (chunks = [] as Buffer[])
    file.on('data', (chunk: Buffer) => kept.push(chunk))
    file.on('limit', () => refuse(new E_PAYLOAD_TOO_LARGE()))
  })
  return () => chunks && Buffer.concat(chunks)
}

function parserOf({ headers }: IncomingMessage, limit: number) {
  const bounds = { fileSize: limit, files: 1, fields: 10, fieldSize: 1_024, parts: 12 }
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: bounds })
  } catch {
    throw new E_BAD_REQUEST()
  }
}
