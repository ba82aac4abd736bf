import { E_UNSUPPORTED_VERSION } from '#exceptions/http_errors'

/** Requests for a version of the API that does not exist. */
export default class VersionsController {
  refuse() {
    throw new E_UNSUPPORTED_VERSION()
  }
}
