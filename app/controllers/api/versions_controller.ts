import { E_UNSUPPORTED_VERSION } from '#exceptions/http_errors'

export default class VersionsController {
  refuse() {
    throw new E_UNSUPPORTED_VERSION()
  }
}
