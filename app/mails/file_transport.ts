import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { MailResponse } from '@adonisjs/mail'
import type { MailTransportContract, NodeMailerMessage } from '@adonisjs/mail/types'

export interface FileTransportOptions {
  fileName: string
}

/** The file is named after the mail, so that a repeated delivery leaves one file. */
export class FileTransport implements MailTransportContract {
  #composer = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  })

  constructor(readonly folder: string) {}

  async send(message: NodeMailerMessage, { fileName }: FileTransportOptions) {
    const composed = await this.#composer.sendMail(message)
    await writeDurably(this.folder, fileName, composed.message as Buffer)
    return new MailResponse(composed.messageId, composed.envelope, { fileName })
  }
}

export const draftNameOf = (fileName: string) => `.${fileName}.draft`

/** Survives a power failure: contents are on the disk before the name, the name before `sent`. */
async function writeDurably(folder: string, fileName: string, contents: Buffer) {
  await makeFolder(folder)
  const draft = join(folder, draftNameOf(fileName))
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(contents)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, fileName))
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}

/** Not recursive: a data folder that is away must not be made again beside the one that comes back. */
function makeFolder(folder: string) {
  return mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
