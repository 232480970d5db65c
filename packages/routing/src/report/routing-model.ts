/** The report of a routing study: the common model, published medians, and figures on requests that all completed. */
import type { Price, ReportSources } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { type PublishedMedians, readPublishedMedians } from './published-medians.ts';
import { type SameRequests, sameRequestsOf } from './same-requests.ts';

export interface RoutingModel extends ReportModel {
  /** Shown next to the measured medians. */
  published: PublishedMedians | undefined;
  /** Price of processor time, for costs. */
  price?: Price | undefined;
  /** Settings in which the architectures completed different requests. */
  sameRequests: SameRequests[];
}

/** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
export async function readRoutingModel(model: ReportModel, sources: ReportSources): Promise<RoutingModel> {
  const { published, price, readSamples, runOf } = sources;
  return {
    ...model,
    published: published === undefined ? undefined : await readPublishedMedians(published),
    price,
    sameRequests: await sameRequestsOf(model.groups, runOf, readSamples),
  };
}
