import type { HttpContext } from '@adonisjs/core/http'
import { verifyTrail } from '#audit/verification'
import { auditPage } from '#pages/audit_page'

/** The audit log, and its verification. */
export default class AuditController {
  async index({ request, view }: HttpContext) {
    return view.render('admin/audit', await auditPage(request.qs()))
  }

  async verify({ request, view }: HttpContext) {
    const verdict = await verifyTrail()
    return view.render('admin/audit', { ...(await auditPage(request.qs())), verdict })
  }
}
