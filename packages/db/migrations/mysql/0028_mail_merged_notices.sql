ALTER TABLE `mail_outbox` ADD `merged` mediumtext;
