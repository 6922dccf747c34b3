DROP INDEX `memberships_account_id_is_deleted_active_member_id_index` ON `memberships`;
--> statement-breakpoint
ALTER TABLE `memberships` ADD `name` varchar(640);
--> statement-breakpoint
CREATE INDEX `memberships_account_id_is_deleted_active_member_id_name_index` ON `memberships` (`account_id`,`is_deleted`,`active`,`member_id`,`name`);
