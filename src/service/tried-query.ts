import type { QueryHandler } from './dashboard/options.js';
import type { RateLimits } from './operation/rate-limits.js';
import { ProblemError, problemOf } from './problems.js';
import { answerBody } from './query/answer-body.js';
import type { Queries } from './query/queries.js';
import { readRequest } from './query/read-request.js';

/** Answers queries of the dashboard's try-it page as the endpoint would. Rate limits count an account like a key. */
export function triedQuery(queries: Queries, rateLimits: RateLimits | undefined): QueryHandler {
  return async (body, account) => {
    try {
      await rateLimits?.take(`account ${account}`);
      const request = readRequest(body);
      const { page } = await queries.run(request);
      // There is always a page, since the request names no answer that is already known.
      const { bytes } = page ? await answerBody(request, page, undefined) : { bytes: Buffer.from('null') };
      return { answer: JSON.parse(Buffer.from(bytes).toString()) };
    } catch (error) {
      if (error instanceof ProblemError) return { problem: problemOf(error, '') };
      throw error;
    }
  };
}
