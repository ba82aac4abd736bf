import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findOrInstall } from '#tests/support/debian'
import { temporaryFolder } from '#tests/support/temporary_folder'

/** A self-signed certificate for 127.0.0.1 or other names, and its key, in their own folder. */
export class Certificate {
  readonly #folder = temporaryFolder('certificate')
  readonly file = join(this.#folder, 'certificate.pem')
  readonly key = join(this.#folder, 'key.pem')

  constructor(name = 'IP:127.0.0.1') {
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const names = ['-subj', '/CN=gatehouse', '-addext', `subjectAltName=${name}`]
    const files = ['-keyout', this.key, '-out', this.file]
    const args = ['req', ...kind, '-days', '2', ...names, ...files]
    execFileSync(findOrInstall('openssl', 'openssl'), args, { stdio: 'pipe' })
  }

  /** Options for a client that trusts the certificate. */
  get options() {
    return { ca: readFileSync(this.file) }
  }

  /** Options for a server. */
  get pair() {
    return { cert: readFileSync(this.file), key: readFileSync(this.key) }
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
