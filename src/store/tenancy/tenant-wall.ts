import {
  type AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueNode,
  WhereNode,
} from "kysely";
import { TENANT_TABLES } from "../tables/index.ts";

/**
 * The second wall of tenant isolation: every select, update and delete that names a tenant table gains
 * `tenant_id = <tenant>`, whether or not it said so itself; an insert must name the column. The tenant is an id, or its
 * placeholder in a prepared statement.
 */
export class TenantWall implements KyselyPlugin {
  readonly #tenantId: unknown;
  #transformer: TenantTransformer | undefined;

  constructor(tenantId: unknown) {
    this.#tenantId = tenantId;
  }

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    // Made at need: what is prepared has its wall already, and making one costs as much as a short statement.
    this.#transformer ??= new TenantTransformer(this.#tenantId);
    return this.#transformer.transformNode(args.node);
  }

  transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(args.result);
  }
}

class TenantTransformer extends OperationNodeTransformer {
  readonly #tenantId: unknown;

  constructor(tenantId: unknown) {
    super();
    this.#tenantId = tenantId;
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const query = super.transformSelectQuery(node);
    return this.#guard(query, [...(query.from?.froms ?? []), ...crossed(query.joins)]);
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    const query = super.transformUpdateQuery(node);
    const target = query.table === undefined ? [] : [query.table];
    return this.#guard(query, [...target, ...(query.from?.froms ?? []), ...crossed(query.joins)]);
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    const query = super.transformDeleteQuery(node);
    return this.#guard(query, [...query.from.froms, ...(query.using?.tables ?? []), ...crossed(query.joins)]);
  }

  /** In the join's own condition, so that an outer join stays one. */
  protected override transformJoin(node: JoinNode): JoinNode {
    const join = super.transformJoin(node);
    const name = tenantTable(join.table);
    if (name === undefined || join.on === undefined) return join;
    return { ...join, on: OnNode.create(AndNode.create(this.#ownRows(name), join.on.on)) };
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    const query = super.transformInsertQuery(node);
    const table = query.into?.table.identifier.name;
    const named = query.columns?.some((column) => column.column.name === "tenant_id") ?? false;
    if (table !== undefined && TENANT_TABLES.has(table) && !named)
      throw new Error(`insert into ${table} names no tenant`);
    return query;
  }

  #guard<Q extends { readonly where?: WhereNode }>(query: Q, sources: readonly OperationNode[]): Q {
    let where = query.where;
    for (const source of sources) {
      const name = tenantTable(source);
      if (name === undefined) continue;
      const own = this.#ownRows(name);
      where = WhereNode.create(where === undefined ? own : AndNode.create(own, where.where));
    }
    return where === query.where ? query : { ...query, where };
  }

  #ownRows(table: string): OperationNode {
    const column = ReferenceNode.create(ColumnNode.create("tenant_id"), TableNode.create(table));
    return BinaryOperationNode.create(column, OperatorNode.create("="), ValueNode.create(this.#tenantId));
  }
}

/** Tables of joins that have no condition of their own to add to. */
function crossed(joins: readonly JoinNode[] | undefined): OperationNode[] {
  return (joins ?? []).filter((join) => join.on === undefined).map((join) => join.table);
}

/** The name a tenant table goes by in the query; undefined for anything else (a subquery guards itself). */
function tenantTable(source: OperationNode) {
  if (TableNode.is(source)) {
    const name = source.table.identifier.name;
    return TENANT_TABLES.has(name) ? name : undefined;
  }
  if (isAlias(source) && TableNode.is(source.node) && IdentifierNode.is(source.alias)) {
    return TENANT_TABLES.has(source.node.table.identifier.name) ? source.alias.name : undefined;
  }
  return undefined;
}

function isAlias(node: OperationNode): node is AliasNode {
  return node.kind === "AliasNode";
}
