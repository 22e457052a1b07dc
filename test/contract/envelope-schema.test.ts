import { describe, expect, it } from 'vitest';
import { requestSchema } from '../../src/contract/envelope-schema.js';

const defaults = { limit: 200, offset: 0 };

describe('requestSchema', () => {
  it.each<[object, object]>([
    [{ agent_id: 574 }, { agent_id: 574, pagination: defaults }],
    [
      { agent_id: 574, params: { closed: 'True' }, pagination: { limit: 10 } },
      { agent_id: 574, params: { closed: 'True' }, pagination: { limit: 10, offset: 0 } },
    ],
    [
      { agent_id: 1, pagination: { offset: 5 }, formatter_config: { format_type: 'raw' } },
      { agent_id: 1, pagination: { limit: 200, offset: 5 }, formatter_config: { format_type: 'raw' } },
    ],
    [
      { agent_id: 1, pagination: { limit: 1000 } },
      { agent_id: 1, pagination: { limit: 1000, offset: 0 } },
    ],
    [
      { agent_id: 1, pagination: {}, formatter_config: {} },
      { agent_id: 1, pagination: defaults, formatter_config: {} },
    ],
  ])('reads %j', (sent, read) => expect(requestSchema.parse(sent)).toEqual(read));

  it.each<[unknown, string, string]>([
    [[], '', 'must be an object'],
    ['574', '', 'must be an object'],
    [null, '', 'must be an object'],
    [{}, 'agent_id', 'must be the number of a dataset'],
    [{ agent_id: '0574' }, 'agent_id', 'must be the number of a dataset'],
    [{ agent_id: '574.0' }, 'agent_id', 'must be the number of a dataset'],
    [{ agent_id: 574.5 }, 'agent_id', 'must be the number of a dataset'],
    [{ agent_id: 1, params: [] }, 'params', 'must be an object'],
    [{ agent_id: 1, params: 'closed' }, 'params', 'must be an object'],
    [{ agent_id: 1, pagination: 5 }, 'pagination', 'must be an object'],
    [{ agent_id: 1, pagination: { limit: 0 } }, 'pagination.limit', 'must be at least 1'],
    [
      { agent_id: 1, pagination: { limit: 1001 } },
      'pagination.limit',
      'must be at most 1000; ask for the next page by offset',
    ],
    [{ agent_id: 1, pagination: { limit: '10' } }, 'pagination.limit', 'must be a whole number'],
    [{ agent_id: 1, pagination: { limit: 1.5 } }, 'pagination.limit', 'must be a whole number'],
    [{ agent_id: 1, pagination: { offset: -1 } }, 'pagination.offset', 'must be 0 or more'],
    [{ agent_id: 1, pagination: { offset: '0' } }, 'pagination.offset', 'must be a whole number'],
    [{ agent_id: 1, formatter_config: { format_type: 'csv' } }, 'formatter_config.format_type', 'must be "raw"'],
  ])('refuses %j at %j', (sent, path, message) => {
    const issues = requestSchema.safeParse(sent).error?.issues;
    expect(issues?.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[path, message]]);
  });
});
