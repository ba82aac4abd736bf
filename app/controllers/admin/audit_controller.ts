import type { HttpContext } from '@adonisjs/core/http'
import { verifyTrailAlone } from '#audit/chain/verification'
import { auditPage } from '#pages/audit/audit_page'

export default class AuditController {
  async index({ request, view, i18n }: HttpContext) {
    return view.render('admin/audit', await auditPage(i18n, request.qs()))
  }

  async verify({ request, view, i18n }: HttpContext) {
    const verdict = await verifyTrailAlone()
    return view.render('admin/audit', { ...(await auditPage(i18n, request.qs())), verdict })
  }
}
