DROP INDEX `memberships_account_id_is_deleted_active_member_id_index`;
--> statement-breakpoint
ALTER TABLE `memberships` ADD `name` text;
--> statement-breakpoint
CREATE INDEX `memberships_account_id_is_deleted_active_member_id_name_index` ON `memberships` (`account_id`,`is_deleted`,`active`,`member_id`,`name`);
